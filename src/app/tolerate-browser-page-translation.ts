/**
 * Page translators (Chrome, Edge) replace each text node with `<font>` elements. React does not notice: it writes new
 * figures into text nodes that are no longer on the page, and throws when it removes one or inserts before it
 * (https://github.com/facebook/react/issues/11538). This module records which element replaced which text nodes and
 * restores those as soon as React touches one of them. The translator then sees new text and translates it again.
 */

const replacedTexts = new WeakMap<Node, readonly Text[]>()
const replacements = new WeakMap<Node, Node>()

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE
const isFont = (node: Node) => node.nodeName === 'FONT'

const textObserver = new MutationObserver((records) => {
  for (const { target } of records) restore(target)
})

/** Restores `node` and the other text nodes that the same element replaced; a no-op for nodes that are not replaced. */
function restore(node: Node): void {
  const replacement = replacements.get(node)
  if (!replacement) return
  const texts = replacedTexts.get(replacement) ?? []
  replacedTexts.delete(replacement)
  for (const text of texts) replacements.delete(text)
  if (replacement.parentNode) (replacement as ChildNode).replaceWith(...texts)
}

function recordReplacement(texts: readonly Text[], replacement: Node): void {
  patchNodeOnce()
  for (const text of texts) {
    replacements.set(text, replacement)
    textObserver.observe(text, { characterData: true })
  }
  replacedTexts.set(replacement, [...(replacedTexts.get(replacement) ?? []), ...texts])
}

/**
 * Detects replaced text nodes, whether in one mutation record (`replaceWith`) or as adjacent insertion and removal.
 * When the user chooses another language, the translator replaces its element with a new one; on return to the original
 * language, with text.
 */
function trackReplacements(records: readonly MutationRecord[]): void {
  const insertedFonts = new Set<Node>()
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const node of addedNodes) {
      if (isFont(node)) insertedFonts.add(node)
      restore(node)
    }
    for (const node of removedNodes) {
      const replaced = replacedTexts.get(node)
      if (!replaced && (!isText(node) || node.isConnected)) continue
      const replacement =
        [...addedNodes].find((added) => isFont(added) || (replaced && isText(added))) ??
        [previousSibling, nextSibling].find((sibling) => sibling && insertedFonts.has(sibling))
      if (!replacement) continue
      replacedTexts.delete(node)
      recordReplacement(replaced ?? [node as Text], replacement)
    }
  }
}

let isPatched = false

/** Patches the nodes' methods when the browser first translates a text; until then pages use the native ones. */
function patchNodeOnce(): void {
  if (isPatched) return
  isPatched = true
  const { removeChild, insertBefore, appendChild } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    restore(child)
    // A translator may have moved the node or removed it without a replacement.
    if (child.parentNode) removeChild.call(child.parentNode, child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, child: Node | null): T {
    // A moved text must not leave its translation behind.
    restore(node)
    if (child) restore(child)
    let at = child
    while (at && at.parentNode !== this) at = at.parentNode
    return insertBefore.call(this, node, at) as T
  }
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    restore(node)
    return appendChild.call(this, node) as T
  }
}

export function tolerateBrowserPageTranslation(): void {
  new MutationObserver(trackReplacements).observe(document.documentElement, { childList: true, subtree: true })
}
