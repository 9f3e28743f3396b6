// The server of @copilotkit/aimock, on a free port. It can also have bad days.
import {LLMock} from "@copilotkit/aimock";

import {key, rules} from "./script.mjs";

const asks = (request, daemon, word) => request.response_format.json_schema.name === daemon
  && request.messages.at(-1).content.includes(word);

// `sequenceIndex` is the request that fits for which the answer is.
const fixtureOf = ({daemon, word, content, status, error}) => ({
  match: {predicate: request => asks(request, daemon, word), ...(status ? {sequenceIndex: 0} : {})},
  response: status ? {status, error: {message: error}}
    : {content, usage: {prompt_tokens: 70, completion_tokens: 9, total_tokens: 79}},
});

const days = {
  malformed: {malformedRate: 1},
  disconnected: {disconnectRate: 1},
  limited: {rateLimitRate: 1},
  slow: {latencyMs: 5_000},
};

export const start = async () => {
  const mock = new LLMock({port: 0, host: "127.0.0.1", auth: {apiKeys: [key]}});
  mock.addFixtures(rules.map(fixtureOf).reverse()); // the first that fits decides
  await mock.start();
  return {
    address: `${mock.url}/v1`,
    asked: () => mock.getRequests().map(x => x.headers),
    stop: () => mock.stop(),
    day: name => mock.setChaos(days[name]),
  };
};
