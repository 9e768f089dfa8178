import { readFileSync } from 'node:fs'
import { z } from 'zod/mini'
import { findOcrFacts } from './find-ocr-facts.ts'

// Separate process (confined-process.ts), because the rules block on long texts. Page texts as JSON from stdin.

const pages = z.array(z.string()).parse(JSON.parse(readFileSync(0, 'utf8')))
process.stdout.write(`${JSON.stringify(findOcrFacts(pages))}\n`)
