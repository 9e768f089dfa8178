import { readFileSync } from 'node:fs'
import { z } from 'zod/mini'
import { findPictureFacts } from './picture-facts.ts'

// Runs in a process of its own (confined-process.ts), because rules over a long text hold up whoever waits for an answer: texts of pages as JSON are its standard input.

const pages = z.array(z.string()).parse(JSON.parse(readFileSync(0, 'utf8')))
process.stdout.write(`${JSON.stringify(findPictureFacts(pages))}\n`)
