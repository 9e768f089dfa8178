import { readDocument } from './read-document.ts'

// Reads the files of its arguments one after another, as a server would. Prints each outcome and the peak memory growth
// in bytes.

const before = process.memoryUsage.rss()
let peak = before
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20)
const endings: string[] = []
for (const file of process.argv.slice(2)) {
  const { reason, outcome } = await readDocument(file)
  endings.push(reason ?? outcome)
}
clearInterval(sampler)
console.log(JSON.stringify({ endings, grown: peak - before }))
