/** Removes what `own-folder.mjs` made. */
export default function ownFolderAway() {
  globalThis.removeOwnFolder()
}
