/** Folders of the built app whose files have a hash of their contents in their names. */
const hashedFolders = ["assets", "operator/assets"];

/** Returns true if a path is a call, the public log or the stream: nothing that a browser shows. */
export function isServicePath(path: string): boolean {
  return /^\/(api|log|ws)(\/|$)/.test(path);
}

/** Returns true if a path names a file that never changes. */
export function isHashedFile(path: string): boolean {
  return hashedFolders.some((folder) => path === `/${folder}` || path.startsWith(`/${folder}/`));
}
