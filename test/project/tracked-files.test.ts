import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT_FILES as allFiles, ROOT } from './project-files.ts'

const files = allFiles.filter((file) => file !== 'package-lock.json')

const KNOWN_FORMS: readonly (readonly [what: string, form: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g],
  ['a key of a cloud', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/g],
  [
    'a token of a service',
    /\b(?:gh[pousr]_\w{36}|github_pat_\w{22}|glpat-[\w-]{20}|xox[abpr]-[\w-]{10}|npm_\w{36}|sk_live_\w{16})/g,
  ],
  // Matches tokens with a real signature, because the tests of the scrubber use stand-ins with shorter signatures.
  ['an access token', /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{16}/g],
]
const NAMED =
  /\b\w{0,30}(?:secret|password|passwd|token|api_?key|private_?key)\w{0,20}["']?\s?[:=]\s?["'`]([\w+/=.-]{20,200})["'`]/gi
/** Bits per character: words are below 3.9, random letters and digits above. */
const RANDOM_FROM = 3.9
const IN_ADDRESS = /\b[a-z]{2,12}:\/\/([\w.-]{1,60}):([^\s:@/"'`$<>{}]{1,200})@/g
const HARMLESS_PASSWORDS = ['…', 'postgres', 'secret', 'password', 'pass', 'p', 'w', 'key']
/** Values that only look secret: the reset token of a browser test, which is "forgotten-password-token" in base64. */
const SAMPLES = ['Zm9yZ290dGVuLXBhc3N3b3JkLXRva2Vu']

const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,10})\b/gi
/** Allowed mail hosts: `.example` is reserved by RFC 2606; the others show a Thai or short address. */
const ALLOWED_HOSTS: readonly RegExp[] = [
  /\.example$/i,
  /^company\.co\.th$/,
  /^(?:b\.co|x\.co\.th|example\.co\.th)$/,
  /^acme\.exa?m?$/,
]
const MACHINE_PATH = /(?<![\w.)}])\/(?:home|Users|root|work|mnt)\/\w/g

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>()
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

function complaintsOf(text: string): string[] {
  const complaints = KNOWN_FORMS.flatMap(([what, form]) =>
    [...text.matchAll(form)].map(([match]) => `${what}: ${match}`),
  )
  for (const [, value] of text.matchAll(NAMED)) {
    const isRandom = bitsPerCharacter(value!) >= RANDOM_FROM && /\d/.test(value!) && /[a-z]/i.test(value!)
    if (isRandom && !SAMPLES.includes(value!)) complaints.push(`a text like a secret: ${value}`)
  }
  for (const [match, , password] of text.matchAll(IN_ADDRESS))
    if (!HARMLESS_PASSWORDS.includes(password!)) complaints.push(`a password in an address: ${match}`)
  for (const [match, host] of text.matchAll(MAIL))
    if (!ALLOWED_HOSTS.some((allowed) => allowed.test(host!))) complaints.push(`somebody's address: ${match}`)
  for (const [match] of text.matchAll(MACHINE_PATH)) complaints.push(`a path of one machine: ${match}`)
  return complaints
}

describe('R57: the repository contains no secret and no personal address', () => {
  test('no file contains a key, token, password, personal address or machine path', () => {
    const read = (file: string) => readFileSync(path.join(ROOT, file))
    // Files with a NUL byte are binary (pictures, fonts, the term model) and are skipped.
    const texts = files.map((file) => ({ file, bytes: read(file) })).filter(({ bytes }) => !bytes.includes(0))
    expect(texts.length).toBeGreaterThan(500)
    const complaints = texts.flatMap(({ file, bytes }) =>
      complaintsOf(bytes.toString('utf8')).map((complaint) => `${file}: ${complaint}`),
    )
    expect(complaints).toEqual([])
  })

  // The samples are concatenated, so that this file does not contain what the test searches for.
  test.each([
    ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
    ['a key of a cloud', `id = ${'AKIA'}IOSFODNN7EXAMPLE`],
    ['a token of a service', `${'ghp'}_${'a1B2c3'.repeat(6)}`],
    ['an access token', `${'eyJ'}${'a1'.repeat(12)}.${'eyJ'}${'b2'.repeat(12)}.${'c3'.repeat(12)}`],
    ['a text like a secret', `AUTH_${'SECRET'} = "q7Zk2mX9vLr4TwB8nYc1HsD6"`],
    ['a password in an address', `postgres://app:${'Kluay5Wan'}@db/app`],
    ['somebody’s address', `somchai@${'gmail'}.com`],
    ['a path of one machine', `cd /${'home'}/somchai/project`],
  ])('finds %s', (_, text) => {
    expect(complaintsOf(text)).toHaveLength(1)
  })

  test('no settings file of an installation is tracked', () => {
    const settingsFile = /^\.env(?:\.|$)|\.(?:pem|key|p12|pfx|kdbx)$|^(?:auth-secret|\.netrc|\.pgpass)$/
    expect(['.env', '.env.local', 'server.pem', 'auth-secret'].every((name) => settingsFile.test(name))).toBe(true)
    expect(files.filter((file) => settingsFile.test(path.basename(file)))).toEqual([])
  })
})
