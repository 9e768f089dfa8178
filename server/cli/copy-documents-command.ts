import type { DocumentCopyReport } from '#server/documents/store/copy-documents.ts'
import type { CommandLineOutput } from './terminal.ts'
import { CommandUsageError } from './terminal.ts'

export type DocumentCopier = {
  copy(onProgress: (files: number) => void): Promise<DocumentCopyReport>
  missing(): Promise<readonly string[]>
}

const MAX_LISTED = 20
const count = (value: number) => value.toLocaleString('en-US')

/**
 * Runs `admin copy-documents`: copies documents from DATA_DIR to the bucket of DOCUMENTS_URL. Throws `CommandUsageError` if
 * DOCUMENTS_URL is not set.
 */
export async function runCopyDocumentsCommand(
  args: readonly string[],
  copying: DocumentCopier | undefined,
  terminal: CommandLineOutput,
): Promise<void> {
  if (args.length > 0) throw new CommandUsageError('usage: npm run admin -- copy-documents')
  if (!copying)
    throw new CommandUsageError('copy-documents: DOCUMENTS_URL is not set, so there is no bucket to copy to')
  const { copied, alreadyStored, damaged } = await copying.copy((files) => terminal.redraw(`${count(files)} files`))
  terminal.log(
    `${count(copied)} files copied, ${count(alreadyStored)} already present; each was read back and matches its SHA-256`,
  )
  logHashes(terminal, damaged, 'are damaged in the folder and were not copied')
  const missing = await copying.missing()
  if (missing.length === 0) return terminal.log('nothing is missing: every document of the database is in the bucket')
  logHashes(terminal, missing, 'are referenced in the database but missing in the bucket')
}

function logHashes(terminal: CommandLineOutput, hashes: readonly string[], what: string): void {
  if (hashes.length === 0) return
  terminal.log(`${count(hashes.length)} files ${what}:`)
  for (const hash of hashes.slice(0, MAX_LISTED)) terminal.log(`  ${hash}`)
  if (hashes.length > MAX_LISTED) terminal.log(`  and ${count(hashes.length - MAX_LISTED)} more`)
}
