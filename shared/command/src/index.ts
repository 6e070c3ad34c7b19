export { serveRemoteSources, type RemoteSources } from './serveRemoteSources.ts'
export { runCommand } from './runCommand.ts'
