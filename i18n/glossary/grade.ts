/**
 * Approximate number of syllables in an English word: its groups of vowels, without a silent final
 * e.
 */
export function countSyllables(word: string): number {
  const letters = word.toLowerCase().replace(/[^a-z]/g, "");
  const pronounced = letters
    .replace(/(?:[^laeiouy]es|[^tdl]ed|[aeiouyl]led|[^laeiouy]e)$/, (end) => end[0] as string)
    .replace(/^y/, "");
  return Math.max(1, pronounced.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}

/** Reading grade of an English text after Flesch and Kincaid. */
export function computeGrade(sentences: readonly string[]): number {
  const words = sentences.flatMap((sentence) => sentence.match(/[a-z][a-z’'-]*/gi) ?? []);
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
}

/**
 * The sentences of a message; labels and names, which have no final punctuation, are not sentences.
 */
export function splitSentences(text: string): string[] {
  return (
    text.match(/[^.!?]+[.!?]+(?=[\s”’]|$)/g)?.filter((sentence) => /[a-z]/i.test(sentence)) ?? []
  );
}
