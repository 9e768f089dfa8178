import { ADMIN_USAGE } from './admin-usage.ts'
import { BACKUP_USAGE, RESTORE_USAGE } from './backup.ts'
import { DOCUMENTS_USAGE } from './documents-command.ts'
import { IMPORT_USAGE } from './import.ts'
import { INTAKE_USAGE } from './intake.ts'
import { MCP_USAGE } from './mcp-command.ts'

const USAGES: Readonly<Record<string, string>> = {
  admin: ADMIN_USAGE,
  backup: BACKUP_USAGE,
  documents: DOCUMENTS_USAGE,
  import: IMPORT_USAGE,
  intake: INTAKE_USAGE,
  load: 'usage: npm run load\n  run the nightly load now',
  mcp: MCP_USAGE,
  restore: RESTORE_USAGE,
}

export function getCommandHelpText(command: string | undefined): string | undefined {
  return command !== undefined && Object.hasOwn(USAGES, command) ? USAGES[command] : undefined
}
