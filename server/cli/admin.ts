import type { AdminAnswer, AdminRequest } from '#server/features/admin/admin-commands.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const USAGE = `usage: npm run admin -- COMMAND
  organisations           every organisation with its package, users, words and matches
  users [CODE]            the users of one organisation, or of all
  set-password EMAIL      reads the new password (one line) and ends all sessions of the user`

export type Administrator = (request: AdminRequest) => Promise<AdminAnswer>

/** `admin COMMAND …`. `administer` does the work, here or in the running server; `readLine` asks for a secret without showing it. */
export async function adminCommand(
  args: string[],
  administer: Administrator,
  terminal: Terminal,
  readLine: (question: string) => Promise<string>,
): Promise<void> {
  const answer = await administer(await readRequest(args, readLine))
  if ('organisations' in answer)
    return table(
      terminal,
      ['code', 'name', 'package', 'users', 'words', 'matches', 'disabled'],
      answer.organisations.map((row) => [
        row.code,
        row.name,
        row.package,
        row.users,
        row.words,
        row.matches,
        row.isDisabled,
      ]),
    )
  if ('users' in answer)
    return table(
      terminal,
      ['e-mail', 'name', 'role', 'organisation', 'disabled'],
      answer.users.map((row) => [row.email, row.name, row.role, row.organisation, row.isDisabled]),
    )
  terminal.log(`The password of ${answer.passwordOf} is set; all sessions of the user have ended.`)
}

async function readRequest(args: string[], readLine: (question: string) => Promise<string>): Promise<AdminRequest> {
  const [command, argument, ...more] = args
  if (more.length === 0) {
    if (command === 'organisations' && argument === undefined) return { do: 'organisations' }
    if (command === 'users') return { do: 'users', organisation: argument }
    // Not as an argument: those can be seen by every user of the machine and stay in the shell's history.
    if (command === 'set-password' && argument !== undefined)
      return { do: 'set-password', email: argument, password: await readLine(`New password of ${argument}: `) }
  }
  throw new UsageError(USAGE)
}

function table(terminal: Terminal, head: string[], rows: (string | number | boolean)[][]): void {
  const lines = [
    head,
    ...rows.map((row) => row.map((cell) => (cell === true ? 'yes' : cell === false ? '' : String(cell)))),
  ]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => shownWidth(line[column]!))))
  for (const line of lines)
    terminal.log(
      line
        .map((cell, column) => cell + ' '.repeat(widths[column]! - shownWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
}

/** Columns on a terminal: Thai vowels and tone marks above and below take none. */
function shownWidth(text: string): number {
  return text.replace(/\p{Mn}/gu, '').length
}
