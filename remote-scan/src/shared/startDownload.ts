/**
 * Opens the one-time address of a file in a new tab (7.38). Where the browser refuses the tab, as it may some seconds
 * after the click, this page saves the file: nobody reads "started" and waits for nothing.
 */
export function startDownload(address: string): void {
  const tab = window.open(address, '_blank')
  // The answer is a file, but whatever it is, it has no hold on this page.
  if (tab) tab.opener = null
  else saveHere(address)
}

function saveHere(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
