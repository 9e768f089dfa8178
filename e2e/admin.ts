import { execFileSync } from 'node:child_process'

/** Runs an operator's command against the server of this run, as `npm run admin` does; answers what it prints. */
export function runAdmin(...args: readonly string[]): string {
  return execFileSync(process.execPath, ['server/main.ts', 'admin', ...args], {
    env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR ?? '.data/e2e' },
    encoding: 'utf8',
  })
}

/** Takes in the next day's data, as `npm run load` does; answers what it prints. */
export function runLoad(): string {
  return execFileSync(process.execPath, ['server/main.ts', 'load'], {
    env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR ?? '.data/e2e' },
    encoding: 'utf8',
  })
}
