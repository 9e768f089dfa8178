import { execFileSync } from 'node:child_process'
import { currentServer } from './servers.ts'

export const runAdmin = (...args: readonly string[]): string => runAdminIn(currentServer().dataDir, ...args)

export const runAdminIn = (dataDir: string, ...args: readonly string[]): string => runCommand(dataDir, 'admin', ...args)

export const runLoad = (): string => runCommand(currentServer().dataDir, 'load')

export function runCommand(dataDir: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, ['server/main.ts', ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
}
