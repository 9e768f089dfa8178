import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'

/** `position` counts from 1. Resolves to the stage's name; undefined without such a stage or settings. */
export async function moveProjectToStage(projectId: string, position: number): Promise<string | undefined> {
  const settings = await queryClient.query({ ...pursuitSettingsQuery, staleTime: 'static' }).catch(() => undefined)
  const stage = settings?.stages[position - 1]
  if (!stage) return undefined
  const message = { failed: 'ย้ายขั้นไม่สำเร็จ', done: `ย้ายไป “${stage.name}” แล้ว` }
  void patchPursuit(projectId, [{ action: 'set_stage', stage: stage.id }], message)
  return stage.name
}

/** Focuses the note field or the owner menu of the pursuit block. Returns false if the block is not rendered. */
export function focusPursuitField(part: 'note' | 'owner'): boolean {
  const field = getNamedElement(part === 'note' ? 'pursuitNote' : 'pursuitOwner')
  field?.scrollIntoView?.({ block: 'center' })
  field?.focus()
  if (part === 'owner') field?.click()
  return field !== undefined
}
