import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

// Attempts what a hostile file might cause; stdin selects the action. Run by confined-process.long.test.ts.

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

const wanted = readFileSync(0, 'utf8')
if (wanted === 'everything') {
  const done = Object.entries(tries).flatMap(([name, attempt]) => {
    try {
      const result = attempt()
      return result === '' ? [] : [name]
    } catch {
      return []
    }
  })
  process.stdout.write(`{"pages":2}\n${JSON.stringify(done)}\n`)
} else if (wanted === 'fill the heap') {
  // 8 MB at a time: with small pieces, garbage collection alone would use up the ten CPU seconds.
  const kept: number[][] = []
  for (;;) kept.push(new Array<number>(1_000_000).fill(kept.length + 0.5))
} else if (wanted === 'fill memory') {
  const kept: Buffer[] = []
  for (;;) kept.push(Buffer.alloc(2 ** 20, 1))
} else if (wanted === 'say too much') {
  for (let count = 0; count < 20; count++) process.stdout.write('x'.repeat(2 ** 20))
} else if (wanted === 'fail') throw new Error('it fails')
else for (;;);
