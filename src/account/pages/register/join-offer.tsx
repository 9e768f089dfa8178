import { useState } from 'react'
import type { JoinRequestBody } from '#contract/account/registration-form.ts'
import { requestToJoin } from '#src/account/api/registration.ts'
import { errorText } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'

type JoinOfferProps = {
  readRequest: () => Promise<JoinRequestBody | undefined>
}

export function JoinOffer({ readRequest }: JoinOfferProps) {
  const [state, setState] = useState<{ is: 'asked' | 'failed'; text: string } | 'pending'>()
  const send = async () => {
    const body = await readRequest()
    if (!body) return
    setState('pending')
    try {
      setState({ is: 'asked', text: await requestToJoin(body) })
    } catch (error) {
      setState({ is: 'failed', text: errorText(error) })
    }
  }
  if (typeof state === 'object' && state.is === 'asked')
    return (
      <p role="status" className="rounded-control border border-accent-line bg-accent-soft px-3 py-2 text-sm">
        {state.text}
      </p>
    )
  return (
    <div className="space-y-2">
      <Button pending={state === 'pending'} onClick={() => void send()} className="w-full whitespace-normal">
        ขอเข้าร่วมองค์กรนี้
      </Button>
      {typeof state === 'object' && <FormError text={state.text} />}
    </div>
  )
}
