/** Removes the folder that `temporaryFolder.mjs` made. */
export default function removeTemporaryFolder() {
  globalThis.removeTemporaryFolder()
}
