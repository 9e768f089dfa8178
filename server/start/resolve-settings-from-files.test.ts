import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const fileOf = (name: string, content: string) => {
  const file = path.join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}
const SECRET = randomBytes(48).toString('base64url')

describe('R57: secrets from files', () => {
  test('a variable ending in _FILE sets the variable from the file without its last line end', () => {
    const settings = parseSettings({
      NODE_ENV: 'production',
      AUTH_SECRET_FILE: fileOf('auth', `${SECRET}\n`),
      DATABASE_URL_FILE: fileOf('database', 'postgres://db/tamngan\r\n'),
    })
    expect(settings.authSecrets).toEqual([SECRET])
    expect(settings.databaseUrl).toBe('postgres://db/tamngan')
  })

  test('validates file content like an environment value', () => {
    const file = fileOf('weak', 'changeme-changeme-changeme-changeme')
    expect(() => parseSettings({ AUTH_SECRET_FILE: file })).toThrow(/^AUTH_SECRET: looks like an example/)
  })

  test.each([
    ['is not there', () => path.join(folder, 'none'), /^AUTH_SECRET_FILE: .*none cannot be read \(ENOENT\)$/],
    ['is a folder', () => folder, /^AUTH_SECRET_FILE: .* cannot be read \(EISDIR\)$/],
    ['is empty', () => fileOf('empty', '\n'), /^AUTH_SECRET_FILE: .*empty is empty$/],
    ['is no secret', () => fileOf('large', 'x'.repeat(70_000)), /^AUTH_SECRET_FILE: .*large is larger than 64 kB$/],
  ])('fails at start and names a file that %s', (_what, file, message) => {
    expect(() => parseSettings({ AUTH_SECRET_FILE: file() })).toThrow(message)
  })

  test('refuses a setting given twice', () => {
    const both = { AUTH_SECRET: SECRET, AUTH_SECRET_FILE: fileOf('both', SECRET) }
    expect(() => parseSettings(both)).toThrow('AUTH_SECRET_FILE: AUTH_SECRET is set too; set one of them')
    expect(() => parseSettings({ ...both, AUTH_SECRET: '' })).not.toThrow()
  })
})
