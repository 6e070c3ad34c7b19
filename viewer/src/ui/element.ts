type Attributes = Record<string, string | number | boolean | undefined>
type Child = Node | string | undefined

/** Makes an element. Texts become text nodes: what stands in a DICOM header is never read as HTML (P14). */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) setAttribute(node, key, value)
  node.append(...children.filter((child) => child !== undefined))
  return node
}

/** `false` and `undefined` remove an attribute, `true` sets it empty; ARIA states are always written out. */
export function setAttribute(target: Element, key: string, value: string | number | boolean | undefined): void {
  const isState = key.startsWith('aria-')
  if (value === undefined || (value === false && !isState)) target.removeAttribute(key)
  else target.setAttribute(key, value === true && !isState ? '' : String(value))
}

/** Sets text only where it changed, so that screen readers and layout are left in peace. */
export function setText(target: Element, content: string): void {
  if (target.textContent !== content) target.textContent = content
}

const svg = 'http://www.w3.org/2000/svg'

/** A 24 × 24 line drawing; it says nothing to screen readers: the control around it has the name. */
export function icon(path: string): SVGSVGElement {
  const drawing = document.createElementNS(svg, 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  drawing.setAttribute('class', 'icon')
  const line = document.createElementNS(svg, 'path')
  line.setAttribute('d', path)
  drawing.append(line)
  return drawing
}
