import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

// This program attempts what a hostile file might cause; stdin selects the action. confined-process.long.test.ts runs
// it.

const tries: Readonly<Record<string, () => unknown>> = {
  'read a file': () => readFileSync('/etc/passwd', 'utf8'),
  'read what is beside the program': () => readFileSync(`${import.meta.dirname}/../../../README.md`, 'utf8'),
  'write a file': () => writeFileSync('/tmp/written-by-a-document', 'x'),
  'write beside it': () => writeFileSync('beside', 'x'),
  'start a program': () => execFileSync('true'),
  'start a thread': () => new Worker('', { eval: true }),
  'make code': () => new Function('return 1')(),
  'see the environment': () => Object.keys(Reflect.get(process, 'env')).join(),
}

const action = readFileSync(0, 'utf8')
if (action === 'everything') {
  const done = Object.entries(tries).flatMap(([name, attempt]) => {
    try {
      const result = attempt()
      return result === '' ? [] : [name]
    } catch {
      return []
    }
  })
  process.stdout.write(`{"pages":2}\n${JSON.stringify(done)}\n`)
} else if (action === 'fill the heap') {
  // Allocate 8 MB at a time, because with smaller pieces garbage collection alone would use up the ten CPU seconds.
  const chunks: number[][] = []
  for (;;) chunks.push(new Array<number>(1_000_000).fill(chunks.length + 0.5))
} else if (action === 'fill memory') {
  const chunks: Buffer[] = []
  for (;;) chunks.push(Buffer.alloc(2 ** 20, 1))
} else if (action === 'say too much') {
  for (let count = 0; count < 20; count++) process.stdout.write('x'.repeat(2 ** 20))
} else if (action === 'fail') throw new Error('it fails')
else for (;;);
