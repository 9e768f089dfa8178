import { readFileSync, statSync } from 'node:fs'
import { SettingsError } from './settings-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A certificate chain is 10 kB; more is a file that was named by mistake. */
const MOST_BYTES = 65_536

/**
 * The environment with each `NAME_FILE` read: `AUTH_SECRET_FILE=/run/secrets/auth` is `AUTH_SECRET` with the content of that file, as secrets of
 * containers and of service managers come. White space at the end is not part of it. Throws `SettingsError`, which names the variable and the
 * file and never what stands in it, when the file cannot be read, is empty or too large, and when both variables are set.
 */
export function settingsFromFiles(env: Environment, names: readonly string[]): Environment {
  const given = names.filter((name) => (env[`${name}_FILE`] ?? '') !== '')
  return { ...env, ...Object.fromEntries(given.map((name) => [name, contentOf(env, name)])) }
}

function contentOf(env: Environment, name: string): string {
  const variable = `${name}_FILE`
  const file = env[variable]!
  if ((env[name] ?? '') !== '') throw new SettingsError(`${variable}: ${name} is set too; set one of them`)
  let content: string
  try {
    if (statSync(file).size > MOST_BYTES) throw new SettingsError(`${variable}: ${file} is larger than 64 kB`)
    content = readFileSync(file, 'utf8').trimEnd()
  } catch (error) {
    if (error instanceof SettingsError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new SettingsError(`${variable}: ${file} cannot be read (${code})`)
  }
  if (content === '') throw new SettingsError(`${variable}: ${file} is empty`)
  return content
}
