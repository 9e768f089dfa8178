import { expect, test } from 'vitest'
import { splitNoteText } from './note-text.ts'

const MEMBERS = [{ name: 'สมชาย' }, { name: 'สมชาย ใจดี' }, { name: 'A.B (C)' }]

test('splits a note into mentions, links and text, which joined are the note', () => {
  const note = 'ถาม @สมชาย ใจดี และ @สมชาย กับ @A.B (C) ที่ (https://a.th/b?c=1). @คนอื่น'
  const parts = splitNoteText(note, MEMBERS)
  expect(parts.map(({ text }) => text).join('')).toBe(note)
  expect(parts.filter(({ kind }) => kind !== 'text')).toEqual([
    { kind: 'mention', text: '@สมชาย ใจดี' },
    { kind: 'mention', text: '@สมชาย' },
    { kind: 'mention', text: '@A.B (C)' },
    { kind: 'link', text: 'https://a.th/b?c=1' },
  ])
})

test('returns a note without mentions and links as one text, and nothing for an empty one', () => {
  expect(splitNoteText('โทร 02-123 @สมชาย', [])).toEqual([{ kind: 'text', text: 'โทร 02-123 @สมชาย' }])
  expect(splitNoteText('', MEMBERS)).toEqual([])
})
