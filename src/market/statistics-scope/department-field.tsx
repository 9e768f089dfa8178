import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { departmentsQuery } from '#src/catalogue/api/departments.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { withStatisticsScopeValue } from './statistics-scope-patch.ts'

type DepartmentFieldProps = {
  values: readonly string[] | undefined
  onChange: (values: readonly string[] | undefined) => void
}

export function DepartmentField({ values, onChange }: DepartmentFieldProps) {
  const [sought, setSought] = useState('')
  const q = useDebouncedText(sought.trim())
  const departments = useQuery(departmentsQuery(q === '' ? undefined : { q }))
  const chosen = values ?? []
  const rows = onePerName(departments.data?.results ?? []).filter(({ word }) => !chosen.includes(word))
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">หน่วยงาน</legend>
      <TextField
        label="ค้นหาหน่วยงาน"
        hideLabel
        icon={Search}
        placeholder="ค้นหาหน่วยงาน เช่น กรมทางหลวง"
        autoComplete="off"
        data-autofocus
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
        className="mb-2"
      />
      <div aria-busy={departments.isFetching} className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {chosen.map((name) => (
          <Checkbox key={name} checked onChange={() => onChange(withStatisticsScopeValue(values, name, false))}>
            {name}
          </Checkbox>
        ))}
        <QueryView
          query={departments}
          errorTitle="โหลดรายชื่อหน่วยงานไม่สำเร็จ"
          skeleton={<Spinner label="กำลังค้นหาหน่วยงาน" className="py-3" />}
          isEmpty={() => rows.length === 0}
          empty={chosen.length === 0 && <p className="py-2 text-ink-muted">ไม่พบหน่วยงานชื่อนี้ ลองใช้คำสั้นลง</p>}
        >
          {() =>
            rows.map((entry) => (
              <Checkbox
                key={entry.word}
                checked={false}
                onChange={() => onChange(withStatisticsScopeValue(values, entry.word, true))}
              >
                {entry.word}
                <span className="block text-xs text-ink-faint">{noteOf(entry)}</span>
              </Checkbox>
            ))
          }
        </QueryView>
      </div>
    </fieldset>
  )
}

/** Keeps one unit per name, because the scope filters by name only. */
function onePerName(entries: readonly DepartmentUnit[]): DepartmentUnit[] {
  return [...new Map(entries.map((entry) => [entry.word, entry])).values()]
}

function noteOf({ unit, department, same_name }: DepartmentUnit): string {
  if (unit === '') return 'ทั้งหน่วยงาน'
  return same_name > 1 ? `ชื่อนี้มีใน ${same_name} หน่วยงาน` : department
}
