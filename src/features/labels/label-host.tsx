import { lazy, Suspense, useEffect } from 'react'
import { closeLabelPanel, useLabelPanel } from './label-panel.ts'
import { loadLabelPanels } from './load-label-panels.ts'

const LabelPanels = lazy(() => loadLabelPanels().then((module) => ({ default: module.LabelPanels })))

/** Where the label picker and the list of labels are drawn; stands once on a page that uses them. */
export function LabelHost() {
  const panel = useLabelPanel()
  useEffect(() => closeLabelPanel, [])
  return <Suspense fallback={null}>{panel && <LabelPanels panel={panel} />}</Suspense>
}
