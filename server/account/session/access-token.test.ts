import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createAccessTokens } from './create-sessions.ts'

const SECRET = 'a secret of the tests, long enough to be one'
const NOW = new Date('2026-11-21T03:00:00Z')
const SECONDS = Math.floor(NOW.getTime() / 1000)
const tokens = createAccessTokens([SECRET])
const key = (secret: string) => new TextEncoder().encode(secret)
const CLAIMS = { sub: '1', sid: 'session', org: '2', iat: SECONDS, exp: SECONDS + 1800, aud: 'tamngan' }

const made = (claims: object, header: object = {}, secret = SECRET) =>
  new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header }).sign(key(secret))
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('accepts its own token until it expires, with a few seconds of leeway', async () => {
  const token = await tokens.sign({ userId: 1, organisationId: 2, sessionId: 'session' }, NOW)
  expect(await tokens.verify(token, NOW)).toEqual(CLAIMS)
  const after = (seconds: number) => tokens.verify(token, new Date(NOW.getTime() + seconds * 1000))
  expect(await after(1799)).toEqual(CLAIMS)
  expect(await after(1800 + 31)).toBeUndefined()
  expect(await tokens.verify(token, new Date(NOW.getTime() + 1e9), { evenExpired: true })).toEqual(CLAIMS)
})

test('accepts a handmade token with the right key, which validates the rejections below', async () => {
  expect(await tokens.verify(await made({}), NOW)).toEqual(CLAIMS)
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const FOREIGN: Record<string, () => string | Promise<string>> = {
  'alg none': () => `${part({ alg: 'none', typ: 'JWT' })}.${part(CLAIMS)}.`,
  'alg none with a signature': async () =>
    `${part({ alg: 'none', typ: 'JWT' })}.${(await made({})).split('.').slice(1).join('.')}`,
  RS256: () => new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(privateKey),
  'HS512 with our key': () => made({}, { alg: 'HS512' }),
  'another key': () => made({}, {}, 'another secret that is also long enough'),
  'an empty key': () => made({}, {}, ' '),
  'another audience': () => made({ aud: 'elsewhere' }),
  'two audiences': () => made({ aud: ['tamngan', 'elsewhere'] }),
  'an issuer, which we never write': () => made({ iss: 'https://evil.example' }),
  'expired a minute ago': () => made({ exp: SECONDS - 60 }),
  'valid from tomorrow': () => made({ nbf: SECONDS + 86_400 }),
  'no expiry': () => made({ exp: undefined }),
  'no session': () => made({ sid: undefined }),
  'a subject that is no number': () => made({ sub: "1' or '1'='1" }),
  'a key id': () => made({}, { kid: '../../dev/null' }),
  'a key address': () => made({}, { jku: 'https://evil.example/keys.json' }),
  'an embedded key': () => made({}, { jwk: { kty: 'oct', k: 'AA' } }),
  'an unknown critical header': () => `${part({ alg: 'HS256', typ: 'JWT', crit: ['x'], x: 1 })}.${part(CLAIMS)}.AAAA`,
  'cut short': async () => (await made({})).slice(0, -5),
  'the signature of another payload': async () =>
    `${(await made({})).split('.')[0]}.${part({ ...CLAIMS, sub: '9' })}.${(await made({})).split('.')[2]}`,
  'ten thousand characters': async () => `${await made({})}${'A'.repeat(10_000)}`,
  'a refresh token': () => 'kq3T0m1yqv1V2J4m8b8W8bX1mUqv5rVn0c9h2m0q1b8',
  'two dots': () => '..',
  nothing: () => '',
  'Thai text': () => 'ก.ข.ค',
}
test.each(Object.entries(FOREIGN))('R6: rejects %s', async (_name, make) => {
  expect(await tokens.verify(await make(), NOW)).toBeUndefined()
})

test('R57: after a secret change, old tokens still work and new ones use the new secret', async () => {
  const old = await tokens.sign({ userId: 1, organisationId: 2, sessionId: 'session' }, NOW)
  const both = createAccessTokens(['the next secret, just as long as the first', SECRET])
  expect(await both.verify(old, NOW)).toEqual(CLAIMS)
  const fresh = await both.sign({ userId: 1, organisationId: 2, sessionId: 'session' }, NOW)
  expect(await tokens.verify(fresh, NOW)).toBeUndefined()
})
