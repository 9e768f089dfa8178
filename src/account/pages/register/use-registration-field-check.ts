import { useQuery } from '@tanstack/react-query'
import {
  type RegistrationFieldAvailability,
  registrationFieldAvailabilityQuery,
} from '#src/account/api/registration.ts'

export type RegistrationFieldCheck = RegistrationFieldAvailability | { readonly is: 'checking' }

/** Returns the result of checking a value; undefined without a value or if the check was rate limited. */
export function useRegistrationFieldCheck(
  field: Parameters<typeof registrationFieldAvailabilityQuery>[0],
  value: string | undefined,
): RegistrationFieldCheck | undefined {
  const { data, isFetching } = useQuery({
    ...registrationFieldAvailabilityQuery(field, value ?? ''),
    enabled: value !== undefined,
  })
  return data ?? (isFetching ? { is: 'checking' } : undefined)
}

/**
 * Converts the result of an availability check to an error or hint. `availableHint` is shown for an available value;
 * leave it undefined when availability alone is not enough.
 */
export function getRegistrationFieldCheckText(
  check: RegistrationFieldCheck | undefined,
  availableHint: string | undefined,
): { error?: string; hint?: string } {
  if (check?.is === 'taken' || check?.is === 'failed') return { error: check.text }
  if (check?.is === 'checking') return { hint: 'กำลังตรวจสอบ' }
  return check?.is === 'free' && availableHint !== undefined ? { hint: availableHint } : {}
}
