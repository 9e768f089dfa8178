import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMailLinkTokens, type MailLinkClaims } from './mail-link-token.ts'

const OLD = 'an old secret of the tests, long enough'
const NEW = 'a new secret of the tests, long enough'
const claims: MailLinkClaims = {
  kind: 'bookmark',
  userId: 42,
  subject: '69119000001',
  expiresAt: new Date('2026-12-05T02:00:00Z'),
}

test('reads back what it signed, also for a filter id with blanks and Thai', () => {
  const tokens = createMailLinkTokens([NEW])
  for (const subject of ['69119000001', '', 'cctv ภาคกลาง-1'])
    expect(tokens.read(tokens.sign({ ...claims, subject }))).toMatchObject({ ok: true, claims: { ...claims, subject } })
})

test('accepts tokens of a replaced secret but not of a removed one', () => {
  const token = createMailLinkTokens([OLD]).sign(claims)
  expect(createMailLinkTokens([NEW, OLD]).read(token)).toMatchObject({ ok: true })
  expect(createMailLinkTokens([NEW]).read(token)).toEqual({ ok: false, problem: 'foreign' })
})

test('rejects any change of a single character', () => {
  const tokens = createMailLinkTokens([NEW])
  const token = tokens.sign(claims)
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABab01-_.'), (at, character) => {
      const changed = `${token.slice(0, at)}${character}${token.slice(at + 1)}`
      // The last base64url character may have unused bits, so a changed token may have the same bytes and still be
      // valid.
      if (changed === token) return
      const read = tokens.read(changed)
      if (read.ok) expect(read.claims).toEqual(claims)
    }),
  )
  const otherToken = tokens.sign({ ...claims, userId: 43 })
  const [payload] = otherToken.split('.')
  const [, mac] = token.split('.')
  expect(tokens.read(`${payload}.${mac}`)).toEqual({ ok: false, problem: 'foreign' })
})

test('reports malformed tokens as broken and never throws', () => {
  const tokens = createMailLinkTokens([NEW])
  const token = tokens.sign(claims)
  for (const text of ['', '.', 'x', token.slice(0, -3), `${token} `, `${token}%3D`, 'ก'.repeat(40), 'a'.repeat(10_000)])
    expect(tokens.read(text)).toEqual({ ok: false, problem: 'broken' })
  fc.assert(fc.property(fc.string(), (text) => !tokens.read(text).ok))
})

test('contains no address and stays short enough for a hundred in one mail', () => {
  expect(createMailLinkTokens([NEW]).sign(claims).length).toBeLessThan(90)
})
