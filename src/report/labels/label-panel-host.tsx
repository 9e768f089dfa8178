import { useEffect } from 'react'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { closeLabelPanel, LazyLabelPanels, useLabelPanel } from './label-panel.ts'

/** Host of the label picker and the label manager. Render it once per page. */
export function LabelPanelHost() {
  const panel = useLabelPanel()
  useEffect(() => closeLabelPanel, [])
  return <LazyBoundary>{panel && <LazyLabelPanels panel={panel} />}</LazyBoundary>
}
