import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && file !== 'package-lock.json' && existsSync(path.join(root, file)))

/** Forms that only a secret has. */
const KNOWN_FORMS: readonly (readonly [what: string, form: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g],
  ['a key of a cloud', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/g],
  [
    'a token of a service',
    /\b(?:gh[pousr]_\w{36}|github_pat_\w{22}|glpat-[\w-]{20}|xox[abpr]-[\w-]{10}|npm_\w{36}|sk_live_\w{16})/g,
  ],
  // With a signature: tests of the scrubber write shorter stand-ins.
  ['an access token', /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{16}/g],
]
/** A text behind a name that says that it opens something. */
const NAMED =
  /\b\w{0,30}(?:secret|password|passwd|token|api_?key|private_?key)\w{0,20}["']?\s?[:=]\s?["'`]([\w+/=.-]{20,200})["'`]/gi
/** Bits for each sign: words stay below 3.9, random letters and digits lie above it. */
const RANDOM_FROM = 3.9
/** Accounts in an address of a server: `user:password@host`. */
const IN_ADDRESS = /\b[a-z]{2,12}:\/\/([\w.-]{1,60}):([^\s:@/"'`$<>{}]{1,200})@/g
/** What samples, tests and local databases open themselves with. */
const HARMLESS_PASSWORDS = ['…', 'postgres', 'secret', 'password', 'pass', 'p', 'w', 'key']
/** Stands in a browser test for the token of a reset link: the words "forgotten-password-token" in base64. */
const SAMPLES = ['Zm9yZ290dGVuLXBhc3N3b3JkLXRva2Vu']

const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,10})\b/gi
/** Hosts in addresses: `.example` is nobody's by RFC 2606. The others stand where a form or a rule must show a Thai or a short one. */
const NOBODYS: readonly RegExp[] = [
  /\.example$/i,
  // The example that e-mail fields show, and its tests.
  /^company\.co\.th$/,
  // The shortest address that is one.
  /^(?:b\.co|x\.co\.th|example\.co\.th)$/,
  // Half-typed addresses.
  /^acme\.exa?m?$/,
]
const MACHINE_PATH = /(?<![\w.)}])\/(?:home|Users|root|work|mnt)\/\w/g

/** How evenly a text uses its signs, in bits (Shannon). */
function bitsPerSign(text: string): number {
  const counts = new Map<string, number>()
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

function complaintsOf(text: string): string[] {
  const found = KNOWN_FORMS.flatMap(([what, form]) => [...text.matchAll(form)].map(([match]) => `${what}: ${match}`))
  for (const [, value] of text.matchAll(NAMED)) {
    const isRandom = bitsPerSign(value!) >= RANDOM_FROM && /\d/.test(value!) && /[a-z]/i.test(value!)
    if (isRandom && !SAMPLES.includes(value!)) found.push(`a text like a secret: ${value}`)
  }
  for (const [match, , password] of text.matchAll(IN_ADDRESS))
    if (!HARMLESS_PASSWORDS.includes(password!)) found.push(`a password in an address: ${match}`)
  for (const [match, host] of text.matchAll(MAIL))
    if (!NOBODYS.some((nobodys) => nobodys.test(host!))) found.push(`somebody's address: ${match}`)
  for (const [match] of text.matchAll(MACHINE_PATH)) found.push(`a path of one machine: ${match}`)
  return found
}

describe('R57: what is kept with the code opens nothing and is nobody’s', () => {
  test('no file holds a key, a token, a password, somebody’s address or a path of one machine', () => {
    const read = (file: string) => readFileSync(path.join(root, file))
    // A NUL byte tells what is no text: pictures, fonts, the model.
    const texts = files.map((file) => ({ file, bytes: read(file) })).filter(({ bytes }) => !bytes.includes(0))
    expect(texts.length).toBeGreaterThan(500)
    const complaints = texts.flatMap(({ file, bytes }) =>
      complaintsOf(bytes.toString('utf8')).map((complaint) => `${file}: ${complaint}`),
    )
    expect(complaints).toEqual([])
  })

  // Put together here, so that this file does not hold what it looks for.
  test.each([
    ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
    ['a key of a cloud', `id = ${'AKIA'}IOSFODNN7EXAMPLE`],
    ['a token of a service', `${'ghp'}_${'a1B2c3'.repeat(6)}`],
    ['an access token', `${'eyJ'}${'a1'.repeat(12)}.${'eyJ'}${'b2'.repeat(12)}.${'c3'.repeat(12)}`],
    ['a text like a secret', `AUTH_${'SECRET'} = "q7Zk2mX9vLr4TwB8nYc1HsD6"`],
    ['a password in an address', `postgres://app:${'Kluay5Wan'}@db/app`],
    ['somebody’s address', `somchai@${'gmail'}.com`],
    ['a path of one machine', `cd /${'home'}/somchai/project`],
  ])('%s would be found', (_, text) => {
    expect(complaintsOf(text)).toHaveLength(1)
  })

  test('no settings file of an installation is kept', () => {
    const own = /^\.env(?:\.|$)|\.(?:pem|key|p12|pfx|kdbx)$|^(?:auth-secret|\.netrc|\.pgpass)$/
    expect(['.env', '.env.local', 'server.pem', 'auth-secret'].every((name) => own.test(name))).toBe(true)
    expect(files.filter((file) => own.test(path.basename(file)))).toEqual([])
  })
})
