import { CircleAlert, CircleCheck } from 'lucide-react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { classNames } from '#src/lib/class-names.ts'
import { createExternalStore } from '#src/lib/store.ts'

/** Result of the last add or delete, shown as the action status (specification section 4). */
export type KeywordListActionResult = {
  readonly list: KeywordListCode
  readonly tone: 'success' | 'error'
  readonly text: string
  /** Words named in the server's refusal: blacklisted, or with wrong brackets. */
  readonly named?: readonly { readonly title: string; readonly words: readonly string[] }[]
}

export const keywordListActionResultStore = createExternalStore<KeywordListActionResult | undefined>(undefined)

/** The live region is always mounted, so that screen readers announce updates. */
export function KeywordListActionResultLine({ list }: { list: KeywordListCode }) {
  const status = keywordListActionResultStore.useValue()
  const current = status?.list === list ? status : undefined
  const Icon = current?.tone === 'error' ? CircleAlert : CircleCheck
  return (
    <div role="status">
      {current && (
        <div
          className={classNames(
            'appear mt-3 flex items-start gap-2 rounded-control border px-3 py-1.5 text-sm',
            current.tone === 'error'
              ? 'border-urgent-line bg-urgent-soft text-urgent'
              : 'border-new-line bg-new-soft text-new',
          )}
        >
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
          <div className="min-w-0 wrap-anywhere">
            <p>{current.text}</p>
            {current.named?.map(({ title, words }) => (
              <p key={title}>
                {title}: {words.map((word) => `“${word}”`).join(', ')}
              </p>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
