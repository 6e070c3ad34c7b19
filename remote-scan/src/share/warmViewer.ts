/**
 * Fetches the viewer's files into the browser's cache while a person reads the page or types the password; they are
 * kept for ever once they are there. Nothing depends on it.
 */
export async function warmViewer(): Promise<void> {
  const page = await fetch('/viewer/').catch(() => undefined)
  if (!page?.ok) return
  const addresses = (await page.text()).matchAll(/(?:src|href)="(\/releases\/viewer\/[^"]+)"/g)
  for (const [, address = ''] of addresses) await fetch(address).catch(() => undefined)
}
