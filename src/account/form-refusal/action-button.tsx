import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'

type Action = {
  run: () => Promise<unknown>
  failed: string
  done?: string
}

export function ActionButton({ run, failed, done, ...button }: Action & ComponentProps<typeof Button>) {
  const { mutate, isPending } = useMutation({ mutationFn: run, ...toastMutationResult(failed, done) })
  return <Button {...button} pending={isPending} onClick={() => mutate()} />
}

type ConfirmedActionProps = Action &
  Pick<ComponentProps<typeof InlineConfirmation>, 'label' | 'no' | 'yes' | 'className'> & {
    question: ReactNode
    /** Renders what starts the action; the confirmation takes its place. */
    children: (ask: () => void) => ReactNode
  }

/** Asks in place before an action, and reports its result in a toast. Stays open after a failure, for a retry. */
export function ConfirmedAction({ run, failed, done, question, children, ...confirmation }: ConfirmedActionProps) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: run,
    ...toastMutationResult(failed, done),
  })
  const close = () => setAsking(false)
  if (!isAsking) return children(() => setAsking(true))
  return (
    <InlineConfirmation
      {...confirmation}
      onNo={close}
      onYes={() => mutate(undefined, { onSuccess: close })}
      pending={isPending}
    >
      {question}
    </InlineConfirmation>
  )
}
