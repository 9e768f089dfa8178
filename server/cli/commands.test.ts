import { describe, expect, test } from 'vitest'
import type { AdminRequest, AdminResponse, RemoveDemoDataRequest } from '#server/operation/admin/admin-requests.ts'
import { runAdminCommand } from './admin.ts'
import { runDocumentsCommand } from './documents-command.ts'
import { getCommandHelpText } from './help.ts'
import { parseImportArgs } from './import.ts'
import type { CommandLineOutput } from './terminal.ts'
import { CommandUsageError } from './terminal.ts'

describe('import', () => {
  test('takes one file and a source', () => {
    expect(parseImportArgs(['a.csv'])).toEqual({ file: 'a.csv', source: undefined })
    expect(parseImportArgs(['--source', 'ocds', 'a.json'])).toEqual({ file: 'a.json', source: 'ocds' })
  })

  test.each([[[]], [['a.csv', 'b.csv']], [['a.csv', '--sauce', 'x']], [['a.csv', '--source']]])(
    'shows the usage for %j',
    (args) => {
      expect(() => parseImportArgs(args)).toThrow(CommandUsageError)
    },
  )
})

describe('admin', () => {
  async function run(args: string[]): Promise<{ requests: (AdminRequest | RemoveDemoDataRequest)[]; lines: string[] }> {
    const requests: (AdminRequest | RemoveDemoDataRequest)[] = []
    const lines: string[] = []
    const terminal: CommandLineOutput = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    const administer = async (request: AdminRequest | RemoveDemoDataRequest): Promise<AdminResponse> => {
      requests.push(request)
      if (request.do === 'create-user') return { createdUser: request.email, password: 'Shown#Once7' }
      return {
        users: [
          {
            email: 'a@x.example',
            name: 'ปวีณา',
            role: 'super_user',
            organisation: 'x',
            isDisabled: true,
            isAccountDisabled: true,
            lastUsedAt: null,
          },
          {
            email: 'long@x.example',
            name: 'กฤต',
            role: 'member_user',
            organisation: 'x',
            isDisabled: false,
            isAccountDisabled: false,
            lastUsedAt: null,
          },
        ],
      }
    }
    await runAdminCommand(args, administer, terminal, async () => 'Typed#2569')
    return { requests, lines }
  }

  test('prints users in aligned columns, with Thai marks of zero width', async () => {
    const { requests, lines } = await run(['users', 'x'])
    expect(requests).toEqual([{ do: 'users', organisation: 'x' }])
    expect(lines).toEqual([
      'e-mail          name  role         organisation  last used  disabled',
      'a@x.example     ปวีณา  super_user   x                        yes',
      'long@x.example  กฤต   member_user  x',
    ])
  })

  test('prompts for a password instead of taking it as an argument', async () => {
    const { requests } = await run(['set-password', 'a@x.example'])
    expect(requests).toEqual([{ do: 'set-password', email: 'a@x.example', password: 'Typed#2569' }])
  })

  test.each<[string[], AdminRequest | RemoveDemoDataRequest]>([
    [['mails'], { do: 'mails' }],
    [['show', 'x'], { do: 'show', organisation: 'x' }],
    [
      ['create-organisation', 'x', 'บริษัท เอ็กซ์'],
      { do: 'create-organisation', code: 'x', name: 'บริษัท เอ็กซ์', package: undefined },
    ],
    [
      ['create-organisation', 'x', 'n', '--package', 'p'],
      { do: 'create-organisation', code: 'x', name: 'n', package: 'p' },
    ],
    [['disable-organisation', 'x'], { do: 'set-organisation-disabled', organisation: 'x', disabled: true }],
    [['enable-user', 'a@x'], { do: 'set-user-disabled', email: 'a@x', disabled: false }],
    [['set-flag', 'x', 'budget-year', 'off'], { do: 'set-flag', organisation: 'x', flag: 'budget-year', on: false }],
    [['set-limit', 'x', 'ai-include', '7'], { do: 'set-limit', organisation: 'x', limit: 'ai-include', most: 7 }],
    [['set-budget-years', 'x', '2568,2569'], { do: 'set-budget-years', organisation: 'x', years: [2568, 2569] }],
    [['set-budget-years', 'x', 'none'], { do: 'set-budget-years', organisation: 'x', years: [] }],
    [
      ['set-window', 'x', '22:30', '05:15'],
      { do: 'set-window', organisation: 'x', window: { start: '22:30', end: '05:15' } },
    ],
    [['set-window', 'x', 'off'], { do: 'set-window', organisation: 'x', window: undefined }],
    [['rematch', 'x'], { do: 'rematch', organisation: 'x' }],
    [['waiting'], { do: 'waiting' }],
    [['approve-keyword', '17'], { do: 'judge-keyword', id: 17, approve: true }],
    [['reject-keyword', '17'], { do: 'judge-keyword', id: 17, approve: false }],
    [['blacklist'], { do: 'blacklist' }],
    [['blacklist', 'add', 'จำนวน'], { do: 'change-blacklist', word: 'จำนวน', add: true }],
    [['blacklist', 'remove', 'จำนวน'], { do: 'change-blacklist', word: 'จำนวน', add: false }],
    [['remove-second-factor', 'a@x'], { do: 'remove-second-factor', email: 'a@x' }],
    [['set-role', 'a@x', 'super_user'], { do: 'set-role', email: 'a@x', role: 'super_user' }],
    [['set-max-labels', 'a@x', '30'], { do: 'set-max-labels', email: 'a@x', most: 30 }],
    [
      ['create-user', 'x', 'a@x', '--first-name', 'อนงค์', '--last-name', 'ใจดี'],
      { do: 'create-user', organisation: 'x', email: 'a@x', firstName: 'อนงค์', lastName: 'ใจดี', role: 'member_user' },
    ],
  ])('%j requests %j', async (args, request) => {
    expect((await run(args)).requests).toEqual([request])
  })

  test('shows a generated password once, on its own line', async () => {
    const { lines } = await run(['create-user', 'x', 'a@x', '--first-name', 'อนงค์', '--last-name', 'ใจดี'])
    expect(lines.filter((line) => line.includes('Shown#Once7'))).toEqual(['Shown#Once7'])
  })

  test('prints help with examples and requests nothing', async () => {
    const { requests, lines } = await run(['--help'])
    expect(requests).toEqual([])
    expect(lines.join('\n')).toMatch(/^(?=[\s\S]*examples:)[\s\S]*create-user/)
  })

  test.each([
    [[]],
    [['nonsense']],
    [['constructor']],
    [['set-password']],
    [['set-password', 'a@x', 'secret']],
    [['set-flag', 'x', 'everything', 'on']],
    [['set-flag', 'x', 'budget-year', 'maybe']],
    [['set-limit', 'x', 'include', '-1']],
    [['set-limit', 'x', 'include', 'many']],
    [['set-budget-years', 'x', '2026']],
    [['set-window', 'x', 'never']],
    [['set-window', 'x', '01:00']],
    [['set-window', 'x', '1:00', '09:00']],
    [['set-window', 'x', '24:00', '09:00']],
    [['approve-keyword', 'กล้อง']],
    [['reject-keyword', '0']],
    [['blacklist', 'add']],
    [['blacklist', 'forget', 'จำนวน']],
    [['set-role', 'a@x', 'owner']],
    [['create-user', 'x', 'a@x', '--first-name', 'อนงค์']],
    [['create-user', 'x', 'a@x', '--password', 'secret']],
  ])('shows the usage for %j', async (args) => {
    await expect(run(args)).rejects.toThrow(CommandUsageError)
  })
})

describe('--help', () => {
  test.each(['import', 'intake', 'documents', 'backup', 'restore', 'load', 'admin'])(
    'has the usage of %s',
    (command) => {
      expect(getCommandHelpText(command)).toMatch(new RegExp(`^usage: npm run (-s )?${command}`))
    },
  )

  test('does not know other commands', () => {
    expect([getCommandHelpText('serve'), getCommandHelpText('toString'), getCommandHelpText(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('documents', () => {
  test('prints the facts of a file as JSON', async () => {
    const lines: string[] = []
    const terminal: CommandLineOutput = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    const fact = { fact: 'agency', state: 'unsure', sentence: 'ประกาศกรมทดสอบ', page: 1, offset: 0 } as const
    const reading = { outcome: 'read', kind: 'invitation', pages: [{ text: 'ประกาศกรมทดสอบ' }], facts: [fact] } as const
    await runDocumentsCommand(['facts', 'a.pdf'], async () => ({ ...reading, pages: [], facts: [fact] }), terminal)
    expect(JSON.parse(lines.join('\n'))).toEqual({
      kind: 'invitation',
      outcome: 'read',
      facts: [{ fact: 'agency', value: null, sure: false, page: 1, sentence: 'ประกาศกรมทดสอบ' }],
    })
    for (const args of [[], ['facts'], ['facts', '--x'], ['text', 'a.pdf'], ['facts', 'a', 'b']])
      await expect(
        runDocumentsCommand(args, async () => ({ ...reading, pages: [], facts: [] }), terminal),
      ).rejects.toThrow(CommandUsageError)
  })
})
