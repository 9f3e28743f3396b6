// The server of @dwmkerr/mock-llm, on a free port.
import http from "node:http";
import {createRequire} from "node:module";

import {key, rules} from "./script.mjs";

const {createServer} = createRequire(import.meta.url)("@dwmkerr/mock-llm/dist/server.js");

const usage = {prompt_tokens: 70, completion_tokens: 9, total_tokens: 79};

const completion = content => ({id: "chatcmpl-1", object: "chat.completion", created: 0,
  model: "{{jmes request body.model}}", usage,
  choices: [{index: 0, message: {role: "assistant", content}, finish_reason: "stop"}]});

const ruleOf = ({daemon, word, content, status, error}) => ({
  path: "/v1/chat/completions", method: "POST",
  match: `body.response_format.json_schema.name == '${daemon}'`
    + ` && contains(body.messages[-1].content, '${word}')`,
  ...(status ? {sequence: 0} : {}),
  response: {status: status ?? 200,
    content: JSON.stringify(status ? {error: {message: error}} : completion(content))},
});

const unauthorized = {path: "/v1/chat/completions",
  match: `headers.authorization != 'Bearer ${key}'`,
  response: {status: 401, content: JSON.stringify({error: {message: "Incorrect API key."}})}};

export const start = async () => {
  const asked = [];
  const app = createServer({rules: [...rules.map(ruleOf), unauthorized]}, "127.0.0.1", 0);
  const server = http.createServer((request, response) => {
    asked.push(request.headers);
    app(request, response);
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/v1`,
    asked: () => asked,
    stop: () => new Promise(done => {
      server.close(done);
      server.closeAllConnections();
    }),
  };
};
