import { type ExpandOptions, expandKeyword, type KeywordExpansion } from './expand-keyword.ts'
import { createProvider, type ProviderSettings } from './provider.ts'
import { expandWithProvider } from './provider-vote.ts'

/** Expands a keyword by whatever this installation has. Never rejects for a provider that is away. */
export type Expander = (word: string, options?: ExpandOptions) => Promise<KeywordExpansion>

/** The built-in engine, and the provider's vote when one is configured. `onFailure` hears why a vote was left out. */
export function createExpander(
  settings: ProviderSettings | undefined,
  onFailure: (error: unknown) => void = () => {},
): Expander {
  if (!settings) return async (word, options) => expandKeyword(word, options)
  const provider = createProvider(settings)
  return (word, options) => expandWithProvider(word, expandKeyword(word, options), provider, onFailure)
}
