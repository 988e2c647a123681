//! tantivy among the peers; its argument and what it prints are those of peer-contract.ts. Lower-cased words without
//! stop words, English stems, BM25, one thread, one segment. A page is known by a number in a fast field, which stands
//! for its key in a list: quicker than reading keys from tantivy's own columns.

use serde::Deserialize;
use serde_json::{json, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::time::{Duration, Instant};
use tantivy::collector::{Count, TopDocs};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::query::{BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, FAST, STRING};
use tantivy::tokenizer::{
    Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
};
use tantivy::{doc, Index, IndexWriter, Term};

type Failure = Box<dyn std::error::Error>;

const BEST: usize = 10;
const BUFFER_BYTES: usize = 256 << 20;
const LONGEST_WORD: usize = 255;
const STOP_WORDS: &str = "a an and are as at be but by for if in into is it no not of on or such that the their then \
     there these they this to was will with";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task {
    step: String,
    #[serde(default)]
    pages: String,
    index: String,
    #[serde(default)]
    questions: String,
    #[serde(default)]
    sections: String,
    #[serde(default)]
    counting: String,
    #[serde(default)]
    passes: u32,
    #[serde(default)]
    budget_ms: u64,
}

struct Question<'a> {
    place: usize,
    kind: &'a str,
    words: &'a str,
}

fn main() -> Result<(), Failure> {
    let argument = std::env::args().nth(1).ok_or("a task is wanted")?;
    let task: Task = serde_json::from_str(&argument)?;
    let report = match task.step.as_str() {
        "build" => build(&task)?,
        "prepare" => prepare(&task)?,
        "write" => write(&task)?,
        _ => ask(&task)?,
    };
    print!("{report}");
    Ok(())
}

fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser)
        .filter(StopWordFilter::remove(STOP_WORDS.split_whitespace().map(String::from)))
        .filter(Stemmer::new(Language::English))
        .build()
}

fn english_text() -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("english")
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    TextOptions::default().set_indexing_options(indexing)
}

/// Pages that will be replaced are known by a term.
fn prepare(task: &Task) -> Result<Value, Failure> {
    let mut schema = Schema::builder();
    let key = schema.add_text_field("key", STRING | FAST);
    let text = schema.add_text_field("text", english_text());
    let index = Index::create_in_dir(&task.index, schema.build())?;
    index.tokenizers().register("english", analyzer());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, BUFFER_BYTES)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut pages = BufReader::with_capacity(1 << 20, File::open(&task.pages)?);
    while let Some(url) = record(&mut pages)? {
        let page = String::from_utf8(record(&mut pages)?.ok_or("a page has no text")?)?;
        writer.add_document(doc!(key => String::from_utf8(url)?, text => page))?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()?;
    Ok(json!({}))
}

struct Write {
    put: Vec<(String, String)>,
    removed: Vec<String>,
}

fn write(task: &Task) -> Result<Value, Failure> {
    let index = Index::open_in_dir(&task.index)?;
    index.tokenizers().register("english", analyzer());
    let key = index.schema().get_field("key")?;
    let text = index.schema().get_field("text")?;
    let mut input = BufReader::with_capacity(1 << 20, File::open(&task.sections)?);
    let mut sections: Vec<Value> = Vec::new();
    while let Some(name) = record(&mut input)? {
        let mut writes = Vec::new();
        for _ in 0..number(&mut input)? {
            writes.push(read_write(&mut input)?);
        }
        let mut writer: IndexWriter = index.writer_with_num_threads(1, BUFFER_BYTES)?;
        let mut us: Vec<f64> = Vec::with_capacity(writes.len());
        let count = writes.len();
        let cpu = cpu_us()?;
        let begin = Instant::now();
        for Write { put, removed } in writes {
            let start = Instant::now();
            for (url, page) in put {
                writer.delete_term(Term::from_field_text(key, &url));
                writer.add_document(doc!(key => url, text => page))?;
            }
            for url in removed {
                writer.delete_term(Term::from_field_text(key, &url));
            }
            writer.commit()?;
            us.push(start.elapsed().as_secs_f64() * 1e6);
        }
        // Nothing else waits for the merges, so that every section has a writer of its own.
        writer.wait_merging_threads()?;
        let wall_us = begin.elapsed().as_secs_f64() * 1e6;
        us.sort_by(f64::total_cmp);
        sections.push(json!({
            "name": String::from_utf8(name)?,
            "writes": count,
            "wallUs": wall_us,
            "cpuUs": cpu_us()? - cpu,
            "p50Us": us.get(count / 2).copied().unwrap_or(0.0),
        }));
    }
    Ok(json!({ "version": tantivy::version_string(), "sections": sections, "closeCpuUs": 0 }))
}

fn read_write(input: &mut impl Read) -> Result<Write, Failure> {
    let mut put = Vec::new();
    for _ in 0..number(input)? {
        put.push((text(input)?, text(input)?));
    }
    let mut removed = Vec::new();
    for _ in 0..number(input)? {
        removed.push(text(input)?);
    }
    Ok(Write { put, removed })
}

fn text(input: &mut impl Read) -> Result<String, Failure> {
    Ok(String::from_utf8(record(input)?.ok_or("the sections end within a write")?)?)
}

fn number(input: &mut impl Read) -> Result<u32, Failure> {
    let mut bytes = [0u8; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn build(task: &Task) -> Result<Value, Failure> {
    let begin = Instant::now();
    let mut schema = Schema::builder();
    let text = schema.add_text_field("text", english_text());
    let number = schema.add_u64_field("number", FAST);
    let index = Index::create_in_dir(&task.index, schema.build())?;
    index.tokenizers().register("english", analyzer());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, BUFFER_BYTES)?;
    // The one merge is that of the end.
    writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut pages = BufReader::with_capacity(1 << 20, File::open(&task.pages)?);
    let mut at = 0u64;
    while record(&mut pages)?.is_some() {
        let page = String::from_utf8(record(&mut pages)?.ok_or("a page has no text")?)?;
        writer.add_document(doc!(text => page, number => at))?;
        at += 1;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.garbage_collect_files().wait()?;
    writer.wait_merging_threads()?;
    Ok(json!({
        "version": tantivy::version_string(),
        "wallUs": begin.elapsed().as_secs_f64() * 1e6,
        "cpuUs": cpu_us()?,
        "peakBytes": memory("VmHWM"),
    }))
}

fn ask(task: &Task) -> Result<Value, Failure> {
    let begin = Instant::now();
    let index = Index::open_in_dir(&task.index)?;
    index.tokenizers().register("english", analyzer());
    let text = index.schema().get_field("text")?;
    let searcher = index.reader()?.searcher();
    if searcher.segment_readers().len() != 1 {
        return Err("the index is not one segment".into());
    }
    let numbers = searcher.segment_reader(0).fast_fields().u64("number")?;
    let open_us = begin.elapsed().as_secs_f64() * 1e6;

    let keys = keys_of(&task.pages)?;
    let file = std::fs::read_to_string(&task.questions)?;
    let lines: Vec<&str> = file.lines().collect();
    let mut us: Vec<Option<f64>> = vec![None; lines.len()];
    let mut totals: Vec<Option<usize>> = vec![None; lines.len()];
    let mut keys_read = 0usize;
    let is_exact = task.counting == "exact";
    let mut analyzer = analyzer();
    for questions in by_class(&lines) {
        let end = Instant::now() + Duration::from_millis(task.budget_ms);
        'passes: for _ in 0..task.passes {
            for question in &questions {
                let start = Instant::now();
                let query = query_of(&mut analyzer, text, question);
                let best = TopDocs::with_limit(BEST).order_by_score();
                let (hits, total) = if is_exact {
                    let (hits, total) = searcher.search(&*query, &(best, Count))?;
                    (hits, Some(total))
                } else {
                    (searcher.search(&*query, &best)?, None)
                };
                let found: Vec<String> = hits
                    .iter()
                    .filter_map(|(_, address)| numbers.first(address.doc_id))
                    .map(|number| keys[number as usize].clone())
                    .collect();
                keys_read += std::hint::black_box(found).len();
                let now = Instant::now();
                let taken = (now - start).as_secs_f64() * 1e6;
                us[question.place] = Some(us[question.place].map_or(taken, |least| least.min(taken)));
                totals[question.place] = total;
                if now > end {
                    break 'passes;
                }
            }
        }
    }
    Ok(json!({
        "version": tantivy::version_string(),
        "us": us,
        "totals": totals,
        "keysRead": keys_read,
        "openUs": open_us,
        "residentBytes": memory("VmRSS"),
    }))
}

/// A stop word leaves a hole in a phrase, as it does in the index.
fn query_of(analyzer: &mut TextAnalyzer, text: Field, question: &Question) -> Box<dyn Query> {
    let mut terms: Vec<(usize, Term)> = Vec::new();
    let mut tokens = analyzer.token_stream(question.words);
    tokens.process(&mut |token| terms.push((token.position, Term::from_field_text(text, &token.text))));
    if terms.is_empty() {
        return Box::new(EmptyQuery);
    }
    if terms.len() == 1 {
        return Box::new(TermQuery::new(terms.remove(0).1, IndexRecordOption::WithFreqs));
    }
    if question.kind == "phrase" {
        return Box::new(PhraseQuery::new_with_offset(terms));
    }
    let occur = if question.kind == "and" { Occur::Must } else { Occur::Should };
    let clause = |(_, term)| (occur, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) as Box<dyn Query>);
    Box::new(BooleanQuery::new(terms.into_iter().map(clause).collect()))
}

fn by_class<'a>(lines: &[&'a str]) -> Vec<Vec<Question<'a>>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut classes: Vec<Vec<Question>> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let mut parts = line.split('\t');
        let mut part = || parts.next().unwrap_or("");
        let (name, kind, words) = (part(), part(), part());
        let at = *places.entry(name).or_insert(classes.len());
        if at == classes.len() {
            classes.push(Vec::new());
        }
        classes[at].push(Question { place, kind, words });
    }
    classes
}

fn keys_of(file: &str) -> Result<Vec<String>, Failure> {
    let mut pages = BufReader::with_capacity(1 << 20, File::open(file)?);
    let mut keys = Vec::new();
    while let Some(key) = record(&mut pages)? {
        keys.push(String::from_utf8(key)?);
        record(&mut pages)?;
    }
    Ok(keys)
}

/// None at the end of the file.
fn record(pages: &mut impl Read) -> Result<Option<Vec<u8>>, Failure> {
    let mut length = [0u8; 4];
    if pages.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    pages.read_exact(&mut length[1..])?;
    let mut bytes = vec![0u8; u32::from_le_bytes(length) as usize];
    pages.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// Of all threads, with the nanoseconds that Linux keeps for each.
fn cpu_us() -> Result<f64, Failure> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock is a constant of the system, and `time` outlives the call.
    if unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) } != 0 {
        return Err("the system does not tell the CPU time".into());
    }
    Ok(time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3)
}

fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(&format!("{name}:")));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|number| number.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
