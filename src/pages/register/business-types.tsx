import { useEffect, useState } from 'react'
import type { BusinessType } from '#contract/registration.ts'
import { listBusinessTypes } from '#src/api/registration.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'

type BusinessTypesProps = {
  /** Ids of types and subtypes. */
  chosen: readonly number[]
  onChange: (ids: number[]) => void
  error: string | undefined
}

/** What the organisation does, any number of types; the subtypes of a chosen one stand under it. Absent when the list cannot be had. */
export function BusinessTypes({ chosen, onChange, error }: BusinessTypesProps) {
  const [types, setTypes] = useState<readonly BusinessType[]>([])
  useEffect(() => {
    const controller = new AbortController()
    void listBusinessTypes(controller.signal).then((list) => {
      if (!controller.signal.aborted) setTypes(list)
    })
    return () => controller.abort()
  }, [])
  if (types.length === 0) return null
  const without = (ids: readonly number[]) => chosen.filter((id) => !ids.includes(id))
  const toggleType = ({ id, subtypes }: BusinessType, on: boolean) =>
    onChange(on ? [...chosen, id] : without([id, ...subtypes.map((subtype) => subtype.id)]))
  return (
    <fieldset>
      <legend className="mb-1 font-medium">
        ประเภทธุรกิจ <span className="font-normal text-ink-faint">(ไม่บังคับ เลือกได้หลายข้อ)</span>
      </legend>
      <ul className="max-h-56 overflow-y-auto rounded-control border border-line px-3 py-1.5">
        {types.map((type) => {
          const isOn = chosen.includes(type.id)
          return (
            <li key={type.id}>
              <Checkbox checked={isOn} onChange={(on) => toggleType(type, on)} className="py-0.5">
                {type.name}
                {type.description && <span className="block text-xs text-ink-faint">{type.description}</span>}
              </Checkbox>
              {isOn && type.subtypes.length > 0 && (
                <ul aria-label={type.name} className="pl-6.5">
                  {type.subtypes.map((subtype) => (
                    <li key={subtype.id}>
                      <Checkbox
                        checked={chosen.includes(subtype.id)}
                        onChange={(on) => onChange(on ? [...chosen, subtype.id] : without([subtype.id]))}
                        className="py-0.5"
                      >
                        {subtype.name}
                      </Checkbox>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
      {error && <p className="mt-1 text-sm text-urgent">{error}</p>}
    </fieldset>
  )
}
