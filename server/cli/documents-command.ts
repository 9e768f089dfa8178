import path from 'node:path'
import type { DocumentFact, DocumentReadResult } from '#contract/documents/document.ts'
import { type CommandLineOutput, CommandUsageError } from './terminal.ts'

export const DOCUMENTS_USAGE = `usage: npm run -s documents -- facts FILE
  facts FILE   reads a PDF and prints JSON: its kind, why it is unreadable, and each fact with value, sure, page and sentence`

export async function runDocumentsCommand(
  args: readonly string[],
  read: (file: string) => Promise<DocumentReadResult>,
  terminal: CommandLineOutput,
): Promise<void> {
  const [command, file, ...extra] = args
  if (command !== 'facts' || file === undefined || file.startsWith('-') || extra.length > 0)
    throw new CommandUsageError(DOCUMENTS_USAGE)
  terminal.log(JSON.stringify(factsJson(await read(path.resolve(file))), null, 2))
}

function factsJson(reading: DocumentReadResult) {
  const { kind, outcome, facts } = reading
  return {
    ...{ kind, outcome },
    ...(reading.reason === undefined ? {} : { reason: reading.reason }),
    facts: facts.map(factJson),
  }
}

/**
 * Fact in the JSON output. `sure` means that the value passed the checks of its rule; otherwise only the sentence can
 * be trusted.
 */
const factJson = ({ fact, value, state, page, sentence }: DocumentFact) => ({
  ...{ fact, value: value ?? null, sure: state === 'clear' },
  ...{ page, sentence },
})
