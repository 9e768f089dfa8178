import { readFileSync, statSync } from 'node:fs'
import { SettingsError } from './settings-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Maximum size of a settings file. A certificate chain is about 10 kB, so a larger file was probably named by mistake.
 */
const MAX_BYTES = 65_536

/**
 * Returns the environment with each `NAME_FILE` resolved: `AUTH_SECRET_FILE=/run/secrets/auth` sets `AUTH_SECRET` to
 * that file's content, as containers and service managers provide secrets. Trailing white space is removed. Throws
 * `SettingsError` with the variable and file name, never the content, if the file is unreadable, empty or too large, or
 * if both variables are set.
 */
export function resolveSettingsFromFiles(env: Environment, names: readonly string[]): Environment {
  const namesFromFiles = names.filter((name) => (env[`${name}_FILE`] ?? '') !== '')
  return { ...env, ...Object.fromEntries(namesFromFiles.map((name) => [name, readSettingFile(env, name)])) }
}

function readSettingFile(env: Environment, name: string): string {
  const variable = `${name}_FILE`
  const file = env[variable]!
  if ((env[name] ?? '') !== '') throw new SettingsError(`${variable}: ${name} is set too; set one of them`)
  let content: string
  try {
    if (statSync(file).size > MAX_BYTES) throw new SettingsError(`${variable}: ${file} is larger than 64 kB`)
    content = readFileSync(file, 'utf8').trimEnd()
  } catch (error) {
    if (error instanceof SettingsError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new SettingsError(`${variable}: ${file} cannot be read (${code})`)
  }
  if (content === '') throw new SettingsError(`${variable}: ${file} is empty`)
  return content
}
