import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BusinessType } from '#contract/account/registration.ts'
import { businessTypesQuery } from '#src/account/api/registration.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { BusinessTypeGroups } from './business-type-groups.tsx'

type StepBusinessProps = {
  chosen: readonly number[]
  onChange: (types: number[]) => void
  onSkip: () => void
}

export function BusinessTypeSetupStep({ chosen, onChange, onSkip }: StepBusinessProps) {
  const types = useQuery(businessTypesQuery)
  const loaded = types.data
  // A business type that registration stored without subtypes means all of them, so select them.
  useEffect(() => {
    if (!loaded?.some(({ id }) => chosen.includes(id))) return
    onChange(subtypesOf(loaded, chosen))
  }, [loaded, chosen, onChange])
  if (types.isPending) {
    return (
      <SkeletonGroup
        className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3"
        bars={['h-44', 'h-44', 'h-44', 'h-44', 'h-44', 'h-44']}
      />
    )
  }
  const list = types.data?.filter(({ subtypes }) => subtypes.length > 0) ?? []
  if (list.length === 0) {
    return (
      <div className="space-y-3">
        <ErrorNotice
          title="โหลดประเภทธุรกิจไม่สำเร็จ"
          error={types.error}
          reason={`${getErrorText(types.error)} หรือข้ามไปพิมพ์คำที่ต้องการติดตามเอง`}
          onRetry={() => void types.refetch()}
          retrying={types.isFetching}
        />
        <Button onClick={onSkip}>ข้ามไปพิมพ์คำเอง</Button>
      </div>
    )
  }
  return (
    <div className="space-y-4">
      <BusinessTypeGroups types={list} chosen={subtypesOf(list, chosen)} onChange={onChange} />
      <Button variant="link" onClick={onSkip}>
        ไม่มีงานของเราในนี้ ข้ามไปพิมพ์คำเอง
      </Button>
    </div>
  )
}

function subtypesOf(types: readonly BusinessType[], chosen: readonly number[]): number[] {
  return types.flatMap(({ id, subtypes }) => {
    const subtypeIds = subtypes.map((subtype) => subtype.id)
    const ticked = subtypeIds.filter((subtype) => chosen.includes(subtype))
    return ticked.length === 0 && chosen.includes(id) ? subtypeIds : ticked
  })
}
