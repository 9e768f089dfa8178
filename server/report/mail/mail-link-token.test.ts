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

test('what was signed is read back, also for a filter whose id holds blanks and Thai', () => {
  const tokens = createMailLinkTokens([NEW])
  for (const subject of ['69119000001', '', 'cctv ภาคกลาง-1'])
    expect(tokens.read(tokens.sign({ ...claims, subject }))).toMatchObject({ ok: true, claims: { ...claims, subject } })
})

test('a secret that was replaced still opens what it signed; one that is gone does not', () => {
  const token = createMailLinkTokens([OLD]).sign(claims)
  expect(createMailLinkTokens([NEW, OLD]).read(token)).toMatchObject({ ok: true })
  expect(createMailLinkTokens([NEW]).read(token)).toEqual({ ok: false, problem: 'foreign' })
})

test('no change of a single character passes', () => {
  const tokens = createMailLinkTokens([NEW])
  const token = tokens.sign(claims)
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABab01-_.'), (at, character) => {
      const changed = `${token.slice(0, at)}${character}${token.slice(at + 1)}`
      // The last base64url character may have unused bits.
      if (changed === token) return
      const read = tokens.read(changed)
      if (read.ok) expect(read.claims).toEqual(claims)
    }),
  )
  const other = tokens.sign({ ...claims, userId: 43 })
  const [payload] = other.split('.')
  const [, mac] = token.split('.')
  expect(tokens.read(`${payload}.${mac}`)).toEqual({ ok: false, problem: 'foreign' })
})

test('what is no token is broken, and never throws', () => {
  const tokens = createMailLinkTokens([NEW])
  const token = tokens.sign(claims)
  for (const text of ['', '.', 'x', token.slice(0, -3), `${token} `, `${token}%3D`, 'ก'.repeat(40), 'a'.repeat(10_000)])
    expect(tokens.read(text)).toEqual({ ok: false, problem: 'broken' })
  fc.assert(fc.property(fc.string(), (text) => !tokens.read(text).ok))
})

test('a token carries no address and is short enough for a mail of a hundred of them', () => {
  expect(createMailLinkTokens([NEW]).sign(claims).length).toBeLessThan(90)
})
