import { useMutation } from '@tanstack/react-query'
import type { JoinRequestBody } from '#contract/account/registration-form.ts'
import { requestToJoinOrganisation } from '#src/account/api/registration.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'

export function JoinOrganisationOffer({ readRequest }: { readRequest: () => Promise<JoinRequestBody | undefined> }) {
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: async () => {
      const body = await readRequest()
      return body && (await requestToJoinOrganisation(body))
    },
  })
  if (data !== undefined)
    return (
      <p role="status" className="rounded-control border border-accent-line bg-accent-soft px-3 py-2 text-sm">
        {data}
      </p>
    )
  return (
    <div className="space-y-2">
      <Button pending={isPending} onClick={() => mutate()} className="w-full whitespace-normal">
        ขอเข้าร่วมองค์กรนี้
      </Button>
      {error && <FormError error={error} />}
    </div>
  )
}
