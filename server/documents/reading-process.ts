import { readFileSync } from 'node:fs'
import { maskPersonIds } from '#contract/catalogue/natural-person.ts'
import type { DocumentFact, DocumentReadResult } from '#contract/documents/document.ts'
import { detectDocumentKind } from './facts/detect-document-kind.ts'
import { findDocumentFacts } from './facts/find-document-facts.ts'
import { readPdfPages } from './text/read-pdf-pages.ts'
import { isDamagedText, isGarbledName } from './text/text-damage.ts'
import { countThaiLetters, MIN_THAI_LETTERS_PER_PAGE } from './text/thai-marks.ts'

// Separate process (confined-process.ts): PDF from stdin, result as the last line of stdout.

// Nothing here needs the network, so remove access to it before a hostile file could use it.
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name)

function distrustTornText({ value, ...fact }: DocumentFact): DocumentFact {
  if (value === undefined) return fact
  return value.kind === 'text' && isGarbledName(value.text) ? { ...fact, state: 'unsure' } : { ...fact, value }
}

async function readPdf(): Promise<DocumentReadResult> {
  const result = await readPdfPages(new Uint8Array(readFileSync(0)), (pages) => {
    process.stdout.write(`${JSON.stringify({ pages })}\n`)
  })
  if ('reason' in result) return { outcome: 'unreadable', reason: result.reason, kind: 'other', pages: [], facts: [] }
  const texts = result.pages.map((text) => maskPersonIds(text))
  const pages = texts.map((text) => ({ text }))
  const thai = texts.reduce((sum, text) => sum + countThaiLetters(text), 0)
  if (thai < MIN_THAI_LETTERS_PER_PAGE * texts.length) return { outcome: 'scan', kind: 'other', pages, facts: [] }
  // Extract nothing from damaged pages. If most are damaged, treat the file as a scan and run OCR.
  const sound = texts.map((text) => (isDamagedText(text) ? '' : text))
  const soundThai = sound.reduce((sum, text) => sum + countThaiLetters(text), 0)
  if (soundThai * 2 < thai) return { outcome: 'scan', kind: 'other', pages, facts: [] }
  const kind = detectDocumentKind(sound)
  return { outcome: 'read', kind, pages, facts: findDocumentFacts(sound, kind).map(distrustTornText) }
}

process.stdout.write(`${JSON.stringify(await readPdf())}\n`)
