import { execFileSync } from 'node:child_process'
import { ownServer } from './servers.ts'

/** Runs an operator's command against the server of this test, as `npm run admin` does; answers what it prints. */
export const runAdmin = (...args: readonly string[]): string => runAdminIn(ownServer().dataDir, ...args)

export const runAdminIn = (dataDir: string, ...args: readonly string[]): string => runCommand(dataDir, 'admin', ...args)

/** Takes in the next day's data, as `npm run load` does; answers what it prints. */
export const runLoad = (): string => runCommand(ownServer().dataDir, 'load')

export function runCommand(dataDir: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, ['server/main.ts', ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
}
