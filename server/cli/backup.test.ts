import { describe, expect, test } from 'vitest'
import { runBackupCommand, runRestoreCommand } from './backup.ts'
import type { CommandLineOutput } from './terminal.ts'
import { CommandUsageError } from './terminal.ts'

const SUMS = { rows: 1_234, tables: 66, seconds: 2 }

function terminalTo(lines: string[]): CommandLineOutput {
  return { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
}

describe('backup and restore', () => {
  test('a backup reports its content, the server pause, and what it lacks', async () => {
    const lines: string[] = []
    const make = async (file: string) => ({ ...SUMS, file, bytes: 3 * 2 ** 20, isEncrypted: false, pausedMs: 181.4 })
    await runBackupCommand(['a.gz'], make, terminalTo(lines))
    expect(lines).toEqual([
      'a.gz: 1,234 rows of 66 tables, 3.0 MB, in 2.0 s',
      'the server was paused for 181 ms',
      'not encrypted (BACKUP_KEY is not set): anyone with the file can read everything in it. AUTH_SECRET is not in the backup: store it separately',
    ])
    const sealed: string[] = []
    await runBackupCommand(['a.gz'], async (file) => ({ ...(await make(file)), isEncrypted: true }), terminalTo(sealed))
    expect(sealed.at(-1)).toBe(
      'encrypted with BACKUP_KEY: store that key and AUTH_SECRET separately; AUTH_SECRET is not in the backup',
    )
  })

  test('replaces existing data only with --replace', async () => {
    const requests: object[] = []
    const restore = async (request: object) => {
      requests.push(request)
      return { ...SUMS, madeAt: '2026-11-21T00:00:00.000Z', engine: 'PGlite 18', migration: '0014.sql' }
    }
    await runRestoreCommand(['a.gz'], restore, terminalTo([]))
    await runRestoreCommand(['--replace', 'a.gz'], restore, terminalTo([]))
    expect(requests).toEqual([
      { file: 'a.gz', replace: false },
      { file: 'a.gz', replace: true },
    ])
  })

  test.each([[[]], [['a', 'b']], [['a', '--replace']], [['a', '--force']]])(
    'rejects backup %j with the usage',
    async (args) => {
      const never = () => Promise.reject(new Error('asked'))
      await expect(runBackupCommand(args, never, terminalTo([]))).rejects.toBeInstanceOf(CommandUsageError)
    },
  )
})
