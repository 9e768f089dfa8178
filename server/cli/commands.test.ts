import { describe, expect, test } from 'vitest'
import type { AdminRequest } from '#server/features/admin/admin-commands.ts'
import { adminCommand } from './admin.ts'
import { readImportArgs } from './import.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

describe('import', () => {
  test('takes one file and a source', () => {
    expect(readImportArgs(['a.csv'])).toEqual({ file: 'a.csv', source: undefined })
    expect(readImportArgs(['--source', 'ocds', 'a.json'])).toEqual({ file: 'a.json', source: 'ocds' })
  })

  test.each([[[]], [['a.csv', 'b.csv']], [['a.csv', '--sauce', 'x']], [['a.csv', '--source']]])(
    'says how it goes when typed as %j',
    (args) => {
      expect(() => readImportArgs(args)).toThrow(UsageError)
    },
  )
})

describe('admin', () => {
  async function run(args: string[]): Promise<{ asked: AdminRequest[]; lines: string[] }> {
    const asked: AdminRequest[] = []
    const lines: string[] = []
    const terminal: Terminal = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    const administer = async (request: AdminRequest) => {
      asked.push(request)
      return {
        users: [
          { email: 'a@x.example', name: 'ปวีณา', role: 'super_user', organisation: 'x', isDisabled: true },
          { email: 'long@x.example', name: 'กฤต', role: 'member_user', organisation: 'x', isDisabled: false },
        ],
      }
    }
    await adminCommand(args, administer, terminal, async () => 'Typed#2569')
    return { asked, lines }
  }

  test('prints users in columns that line up, Thai marks counted as no width', async () => {
    const { asked, lines } = await run(['users', 'x'])
    expect(asked).toEqual([{ do: 'users', organisation: 'x' }])
    expect(lines).toEqual([
      'e-mail          name  role         organisation  disabled',
      'a@x.example     ปวีณา  super_user   x             yes',
      'long@x.example  กฤต   member_user  x',
    ])
  })

  test('asks for a password instead of taking it as an argument', async () => {
    const { asked } = await run(['set-password', 'a@x.example'])
    expect(asked).toEqual([{ do: 'set-password', email: 'a@x.example', password: 'Typed#2569' }])
  })

  test.each([[[]], [['nonsense']], [['set-password']], [['set-password', 'a@x', 'secret']]])(
    'says how it goes when typed as %j',
    async (args) => {
      await expect(run(args)).rejects.toThrow(UsageError)
    },
  )
})
