import { equalBytes } from "../log/bytes.ts";
import { emptyRoot, provesConsistency } from "../log/merkle.ts";
import type { Checkpoint } from "../log/note.ts";
import type { AddCheckpoint } from "./request.ts";
import type { Tree } from "./state.ts";

export function isConsistent(
  { oldSize, proof }: AddCheckpoint,
  cosigned: Tree,
  checkpoint: Checkpoint,
): boolean {
  if (checkpoint.size === 0 && !equalBytes(checkpoint.root, emptyRoot)) return false;
  if (oldSize === 0 && checkpoint.size > 0) return proof.length === 0;
  const root = Buffer.from(cosigned.root, "base64");
  return provesConsistency(oldSize, checkpoint.size, root, checkpoint.root, proof);
}

export function buildTree({ size, root }: Checkpoint): Tree {
  return { size, root: root.toString("base64") };
}

export function isSameTree(tree: Tree, otherTree: Tree): boolean {
  return tree.size === otherTree.size && tree.root === otherTree.root;
}
