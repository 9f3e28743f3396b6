// LangGraph for JavaScript: its store in memory, and a graph of six nodes that does nearly nothing.
// answering.py describes the protocol.
//
// usage: node langgraph_contestant.mjs PACKAGES    the folder whose node_modules has @langchain/langgraph

import {createReadStream} from "node:fs"
import {createRequire} from "node:module"
import {createInterface} from "node:readline"
import {pathToFileURL} from "node:url"

const installed = createRequire(pathToFileURL(`${process.argv[2]}/package.json`))
const {Annotation, END, InMemoryStore, MemorySaver, START, StateGraph} =
  await import(pathToFileURL(installed.resolve("@langchain/langgraph")).href)

const nodes = ["router", "clarifier", "executor", "error_handler", "evaluator", "reflector"]
const inputs = [
  "How far is it from Lyon to Nice?", "What did the harbour master say about pier seven?",
  "Is the library open on Sundays?", "Who wrote the report about the bridge?", "When does the last train leave?",
]
const space = ["observations"]
let store

async function load({file, count}) {
  store = new InMemoryStore()
  let number = 0, took = 0
  for await (const line of createInterface({input: createReadStream(file)})) {
    if (number === count) break
    const {content, tags, context} = JSON.parse(line)
    const began = performance.now()
    await store.put(space, `obs_${number++}`, {content, tags, goal_id: context.goal_id})
    took += performance.now() - began
  }
  return {seconds: took / 1000}
}

/** The ten that the store finds first; it does not tell how many there are. */
async function goal({questions, seconds}) {
  const us = [], totals = [], began = performance.now()
  for (const question of questions) {
    const started = performance.now()
    const found = await store.search(space, {filter: {goal_id: question}, limit: 10})
    us.push((performance.now() - started) * 1000)
    totals.push(found.length)
    if (performance.now() - began > seconds * 1000) break
  }
  return {us, totals}
}

function graph(keeps) {
  const State = Annotation.Root({
    input: Annotation(),
    observations: Annotation({reducer: (a, b) => a.concat(b), default: () => []}),
  })
  const made = new StateGraph(State)
  for (const name of nodes)
    made.addNode(name, state => ({observations: [{source: name, content: `${name} has read ${state.input}`}]}))
  ;[START, ...nodes].forEach((name, i) => made.addEdge(name, nodes[i] ?? END))
  return made.compile(keeps ? {checkpointer: new MemorySaver()} : {})
}

async function turns({count, at_once, keeps}) {
  const runs = graph(keeps)
  const run = async (thread, turns) => {
    for (let i = 0; i < turns; i++) {
      const state = await runs.invoke({input: inputs[i % inputs.length]},
        {configurable: {thread_id: `thread_${thread}_${i}`}})
      if (state.observations.length !== nodes.length) throw new Error("a node did not run")
    }
  }
  await run("first", 20) // not measured
  const each = Math.floor(count / at_once), began = performance.now()
  await Promise.all(Array.from({length: at_once}, (_, i) => run(i, each)))
  return {per_second: each * at_once / (performance.now() - began) * 1000}
}

const orders = {load, goal, turns}
for await (const line of createInterface({input: process.stdin})) {
  let answer
  try {
    const {do: what, ...given} = JSON.parse(line)
    answer = await orders[what](given)
  } catch (why) {
    answer = {error: String(why)}
  }
  process.stdout.write(JSON.stringify(answer) + "\n")
}
