import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DemoLogin, demoLoginSchema } from '#contract/account/session.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import { logIn } from '#src/account/api/log-in.ts'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { readPageMetadata } from '#src/lib/page-metadata.ts'
import { DEMO_LOGIN_META_NAME } from '#src/shell/session/has-demo-login.ts'
import { Spinner } from '#src/ui/spinner.tsx'

/** Reads the demo accounts that the server embeds in the page while demo data is installed; undefined otherwise. */
export function readDemoLogin(): DemoLogin | undefined {
  const text = readPageMetadata(DEMO_LOGIN_META_NAME)
  if (text === undefined) return undefined
  try {
    return demoLoginSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function DemoAccountSection({ onDone }: { onDone: () => void }) {
  const [sample] = useState(readDemoLogin)
  return sample && <DemoAccountButtons {...sample} onDone={onDone} />
}

type SampleAccountsProps = DemoLogin & { onDone: () => void }

export function DemoAccountButtons({ password, accounts, onDone }: SampleAccountsProps) {
  const { mutate, isPending, isSuccess, variables, error } = useMutation({
    mutationFn: async (email: string) => {
      if (await logIn({ email, password })) throw new Error('A sample account has a second factor')
    },
    onSuccess: onDone,
  })
  const chosen = isPending || isSuccess ? variables : undefined
  return (
    <section aria-labelledby="sample-accounts" className="space-y-2">
      <h2 id="sample-accounts" className="font-semibold">
        บัญชีตัวอย่าง <span className="font-normal text-ink-muted">กดเพื่อเข้าดูด้วยข้อมูลสมมติ</span>
      </h2>
      <FormSubmitError refusal={error} />
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {accounts.map(({ email, organisation, role, shows }) => (
          <li key={email}>
            <button
              type="button"
              title={organisation}
              aria-busy={chosen === email}
              onClick={() => chosen === undefined && mutate(email)}
              className="flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-left transition-colors hover:bg-surface-muted focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block">{shows}</span>
                <span className="block text-xs wrap-anywhere text-ink-muted">{email}</span>
              </span>
              {chosen === email ? (
                <Spinner className="text-accent-ink" />
              ) : (
                <span className="shrink-0 text-xs text-ink-muted">{getRoleLabel(role)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
