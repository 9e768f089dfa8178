import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { registrationFieldAvailabilityQuery } from '#src/account/api/registration.ts'

type RegisteredField = { readonly error: string | undefined }

/**
 * Checks whether a value can be registered, and adds the result to the props of its field. Without a value, or if the
 * check was rate limited, there is no result. Leave `availableText` undefined when availability alone is not enough.
 */
export function useRegistrationFieldCheck<Field extends RegisteredField>(
  name: Parameters<typeof registrationFieldAvailabilityQuery>[0],
  value: string | undefined,
  field: Field,
  availableText: string | undefined,
) {
  const { data, isFetching } = useQuery({
    ...registrationFieldAvailabilityQuery(name, value ?? ''),
    enabled: value !== undefined,
  })
  const refusal = data?.is === 'taken' || data?.is === 'failed' ? data.text : undefined
  const error = field.error ?? refusal
  const isAvailable = data?.is === 'free' && availableText !== undefined && error === undefined
  const hint = (
    <span role="status" className={isAvailable ? 'inline-flex items-center gap-1 text-new' : ''}>
      {isAvailable && (
        <>
          <Check aria-hidden className="size-3.5" />
          {availableText}
        </>
      )}
      {data === undefined && isFetching && error === undefined && 'กำลังตรวจสอบ'}
    </span>
  )
  return { isTaken: data?.is === 'taken', field: { ...field, error, hint } }
}
