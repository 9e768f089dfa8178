import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.join(import.meta.dirname, '../..')
export const readProjectFile = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

export const PROJECT_FILES: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(ROOT, file)))

const candidates = PROJECT_FILES.filter((file) => !file.startsWith('test/architecture-fixture/'))
const endsWith = (file: string, name: string) => file === name || file.endsWith(`/${name}`)

/**
 * Resolves a short name of docs/security.md: the end of a path, without `.test.ts` for tests. Undefined for no match or
 * several.
 */
export function findFileByShortName(name: string): string | undefined {
  const matches = candidates.filter((file) => endsWith(file, name) || endsWith(file.replace(/\.test\.tsx?$/, ''), name))
  return matches.length === 1 ? matches[0] : undefined
}
